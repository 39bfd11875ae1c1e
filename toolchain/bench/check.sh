#!/bin/sh
exec python3 "${0%/*}/check.py" "$@"
