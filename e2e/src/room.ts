const ROOM = '1000000';

/** Room for a run that does in a minute what a thousand addresses do, and logs of what goes wrong only. */
export const roomyEnv = {
  LOG_LEVEL: 'warn',
  OTP_IP_PER_HOUR: ROOM,
  OTP_TOTAL_PER_HOUR: ROOM,
  REGISTER_IP_PER_HOUR: ROOM,
  RATE_LIMIT_PER_MINUTE: ROOM,
  CONNECTIONS_PER_ADDRESS: ROOM,
  REQUESTS_PER_ADDRESS: ROOM,
  LONG_PER_ADDRESS: ROOM,
  RATE_LIMIT_SENSITIVE_PER_MINUTE: ROOM,
  INVITATIONS_PER_USER_AND_DAY: ROOM,
  RATE_LIMIT_HEAVY_PER_MINUTE: ROOM,
};
