#!/bin/sh
# Writes the member's configuration: it follows the master that the sentinels know, else the first member.
set -eu
self="$POD_NAME.valkey"
# While a password is rotated, two are valid: `old,new`. The first is the one to show to others.
password=${VALKEY_PASSWORDS%%,*}
master=$(timeout 5 valkey-cli -h valkey -p 26379 --no-auth-warning -a "$password" \
  sentinel get-master-addr-by-name karaar 2>/dev/null | head -n 1 || true)
case "$master" in *.valkey) ;; *) master=valkey-0.valkey ;; esac

# The users, with their passwords in place of the names of the variables that hold them.
users() {
  { echo 'user default on >@VALKEY_PASSWORDS@ ~* &* +@all'; cat "/config/$1-users.conf"; } |
    awk '{ for (name in ENVIRON) { value = ENVIRON[name]; gsub(",", " >", value); gsub("@" name "@", value) } } 1'
}

cp /config/valkey.conf /data/valkey.conf
{
  echo "masterauth $password"
  users valkey
  echo "replica-announce-ip $self"
  if [ "$master" != "$self" ]; then echo "replicaof $master 6379"; fi
} >> /data/valkey.conf

cp /config/sentinel.conf /data/sentinel.conf
{
  users sentinel
  echo "sentinel announce-ip $self"
  echo "sentinel monitor karaar $master 6379 2"
  echo "sentinel auth-pass karaar $password"
  echo "sentinel sentinel-pass $password"
  echo "sentinel down-after-milliseconds karaar 5000"
  echo "sentinel failover-timeout karaar 30000"
  echo "sentinel parallel-syncs karaar 1"
} >> /data/sentinel.conf
chmod 600 /data/*.conf
