"""`pailu contracts`: the published language as a document for other systems."""

from __future__ import annotations

import json

import click

from shared.cli.language import say
from shared.contracts.asyncapi import document


@click.group(help=say("Write the contracts of the events.", "输出事件契约。"))
def contracts() -> None:
    """The contracts."""


@contracts.command(help=say("Print the AsyncAPI document of the topics.", "输出各主题的 AsyncAPI 文档。"))
@click.option("--yaml", "as_yaml", is_flag=True, help=say("As YAML; JSON otherwise.", "输出 YAML，默认 JSON。"))
def asyncapi(as_yaml: bool) -> None:
    """Print the AsyncAPI document."""
    if as_yaml:
        import yaml

        click.echo(yaml.safe_dump(document(), allow_unicode=True, sort_keys=False, width=120), nl=False)
    else:
        click.echo(json.dumps(document(), ensure_ascii=False, indent=2))
