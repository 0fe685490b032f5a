# Outlives the launcher by a moment: stops the launcher's children when the launcher is gone,
# however it went. Its standard input is a pipe that only the launcher holds open.
#   + PID SIGNAL   a child was started, SIGNAL asks it to stop
#   - PID          the child has ended
# At end of input every child still listed gets its signal, and its whole group SIGKILL after $1 s.
children=''
while read -r verb pid signal; do
  rest=''
  for child in $children; do
    [ "${child%%:*}" = "$pid" ] || rest="$rest $child"
  done
  [ "$verb" = '+' ] && rest="$pid:$signal $rest"
  children=$rest
done

for child in $children; do
  kill -s "${child#*:}" "${child%%:*}" 2>/dev/null
done
left=$((${1:-10} * 10))
while [ "$left" -gt 0 ]; do
  alive=''
  for child in $children; do
    kill -0 "${child%%:*}" 2>/dev/null && alive=yes
  done
  [ -n "$alive" ] || break
  left=$((left - 1))
  sleep 0.1
done
for child in $children; do
  kill -s KILL -- "-${child%%:*}" 2>/dev/null
done
exit 0
