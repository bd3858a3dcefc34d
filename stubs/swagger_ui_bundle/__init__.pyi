from pathlib import Path

swagger_ui_path: Path
