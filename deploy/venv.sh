#!/bin/sh
# Makes .venv from requirements.lock: anew when the lock has changed, else only the project's own entry is renewed.
# Needs nothing but a Python 3.11 to 3.13 with venv. PYTHON=… names the one to use.
set -eu
cd "$(dirname "$0")/.."
venv=.venv
lock=$(cksum <requirements.lock)

say() { printf '%s\n' "$*" >&2; }

in_range() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1; }
has_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# The first right Python that can make environments, else the first right one, else nothing.
choose() {
    right=
    for python in ${PYTHON:-python3 python3.13 python3.12 python3.11 /usr/bin/python3}; do
        in_range "$python" || continue
        if has_venv "$python"; then
            printf '%s' "$python"
            return
        fi
        right=${right:-$python}
    done
    printf '%s' "$right"
}

# In a CI job that runs as root, what is missing is installed; a person is told what to type.
install() {
    if [ -n "${CI:-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "Installing $*"
        { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"; } >&2
    else
        say "Install it with 请安装：  sudo apt-get install $*"
        exit 1
    fi
}

if [ "$(cat $venv/.lock 2>/dev/null)" != "$lock" ] || ! in_range $venv/bin/python; then
    python=$(choose)
    if [ -z "$python" ]; then
        say "Pailu needs Python 3.11, 3.12 or 3.13; found: $(python3 --version 2>&1 || true)"
        say "需要 Python 3.11 至 3.13。"
        install python3 python3-venv
        python=$(choose)
        if [ -z "$python" ]; then
            say "This system's python3 is not one of them. Install one and name it: make PYTHON=/path/to/python3.12 …"
            exit 1
        fi
    fi
    if ! has_venv "$python"; then
        say "$python cannot make a virtual environment: its venv package is missing. 缺少 venv 模块。"
        install "python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
    fi
    say "Making .venv with $("$python" --version) (once, about a minute) 正在建立运行环境……"
    rm -rf $venv
    "$python" -m venv $venv
    $venv/bin/pip install --disable-pip-version-check -q --require-hashes -r requirements.lock
    printf '%s' "$lock" >$venv/.lock
fi
$venv/bin/pip install --disable-pip-version-check -q --no-deps --no-build-isolation -e .
touch $venv/.ready
