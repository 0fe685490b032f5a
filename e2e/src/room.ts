const ROOM = '1000000';

/**
 * Rate limits for a run that makes the requests of a thousand addresses in a minute, SMS at any hour, and logs of
 * faults only.
 */
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
  TEXTS_PER_RECEIVER_AND_DAY: ROOM,
  SMS_QUIET_HOURS: '0-0',
  RATE_LIMIT_HEAVY_PER_MINUTE: ROOM,
};

/** The prefix of the trace ids of tests; the collector of the shared product drops all other traces. */
export const TRACED = '0e2e';
