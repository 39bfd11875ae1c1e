#!/bin/sh
exec python3 "${0%/*}/hooks.py" "$@"
