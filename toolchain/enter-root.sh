#!/bin/sh
# enter-root.sh ROOT PROGRAM [ARGUMENT...]: runs a program whose root folder is ROOT. It has this machine's /proc and
# devices where ROOT has places for them, and the present folder where that lies in ROOT. To be started in a mount
# namespace of its own, which takes the mounts with it when it ends.
set -e
root=$1
shift
here=$(pwd -P)
case $here/ in
"$root"/*) here=${here#"$root"} ;;
*) here=/ ;;
esac
if [ -d "$root/proc" ]; then mount --rbind /proc "$root/proc"; fi
for device in "$root"/dev/*; do mount --bind "/dev/${device##*/}" "$device"; done
# What the shell itself has put into the environment is taken out again.
exec env -u PWD -u OLDPWD -u SHLVL -u _ unshare --root="$root" --wd="${here:-/}" -- "$@"
