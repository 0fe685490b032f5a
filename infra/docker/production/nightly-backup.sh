#!/bin/sh
# Backs up at once and then nightly at BACKUP_HOUR (UTC) into /backups; keeps the newest BACKUPS_KEPT.
set -eu
if [ -z "$BACKUP_RECIPIENTS" ]; then
  echo 'BACKUP_RECIPIENTS is empty: no backup is made. karaar backup-key makes a pair of keys.' >&2
  exec sleep infinity
fi
trap 'exit 0' TERM INT
while :; do
  name=$(date -u +%Y%m%dT%H%M%SZ)
  rm -rf /backups/.unfinished
  # Renamed when it is complete.
  if node cli.js backup --to /backups/.unfinished; then
    mv /backups/.unfinished "/backups/$name"
    find /backups -mindepth 1 -maxdepth 1 -name '2*Z' | sort -r | tail -n "+$((BACKUPS_KEPT + 1))" | xargs -r rm -rf
  else
    echo "The backup of $name failed." >&2
  fi
  now=$(date -u +%s)
  next=$(date -u -d "tomorrow ${BACKUP_HOUR:-1}:30" +%s)
  sleep "$((next - now))" &
  wait $!
done
