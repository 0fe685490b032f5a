#!/bin/sh
# Writes the member's configuration: it follows the master that the sentinels know, else the first member.
set -eu
self="$POD_NAME.valkey"
master=$(timeout 5 valkey-cli -h valkey -p 26379 --no-auth-warning -a "$VALKEY_PASSWORD" \
  sentinel get-master-addr-by-name karaar 2>/dev/null | head -n 1 || true)
case "$master" in *.valkey) ;; *) master=valkey-0.valkey ;; esac

# The services' users, with their passwords in place of the names of the variables that hold them.
users() { awk '{ for (name in ENVIRON) gsub("@" name "@", ENVIRON[name]) } 1' "/config/$1-users.conf"; }

cp /config/valkey.conf /data/valkey.conf
{
  echo "requirepass $VALKEY_PASSWORD"
  echo "masterauth $VALKEY_PASSWORD"
  users valkey
  echo "replica-announce-ip $self"
  if [ "$master" != "$self" ]; then echo "replicaof $master 6379"; fi
} >> /data/valkey.conf

cp /config/sentinel.conf /data/sentinel.conf
{
  echo "requirepass $VALKEY_PASSWORD"
  users sentinel
  echo "sentinel announce-ip $self"
  echo "sentinel monitor karaar $master 6379 2"
  echo "sentinel auth-pass karaar $VALKEY_PASSWORD"
  echo "sentinel sentinel-pass $VALKEY_PASSWORD"
  echo "sentinel down-after-milliseconds karaar 5000"
  echo "sentinel failover-timeout karaar 30000"
  echo "sentinel parallel-syncs karaar 1"
} >> /data/sentinel.conf
chmod 600 /data/*.conf
