/** Settings of the product without limits on callers: all of a bench's load comes from one address and a few people. */
const MANY = '10000000';

export const unlimited: Readonly<Record<string, string>> = {
  REVERSAL_ALONE_PAISE: MANY,
  UNFUNDED_PER_HOUR: MANY,
  RATE_LIMIT_SENSITIVE_PER_MINUTE: MANY,
  INVITATIONS_PER_USER_AND_DAY: MANY,
  RATE_LIMIT_PER_MINUTE: MANY,
  CONNECTIONS_PER_ADDRESS: MANY,
  REQUESTS_PER_ADDRESS: MANY,
  LONG_PER_ADDRESS: MANY,
  REGISTER_IP_PER_HOUR: '100000',
  OTP_IP_PER_HOUR: '100000',
  OTP_TOTAL_PER_HOUR: '100000',
};
