/**
 * The provider's messages, with status 400, for a refund that it will never make. Any other refusal may pass:
 * too little money in our account there, a payment in progress, a fault of the provider. A refund that was
 * put back after such a refusal could be paid twice.
 */
const FINAL = [
  /has been fully refunded already/i,
  /total refund amount is greater than/i,
  /refund amount .*greater than/i,
  /status should be captured/i,
  /id provided does not exist/i,
  /not a valid id/i,
  /amount must be at least/i,
  /does not support refund|refunds? (is|are) not supported/i,
  /older than (6|six) months/i,
];

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Returns true if an error of the provider, or its cause, says that a refund will never be made. */
export function isFinalRefusal(error: unknown): boolean {
  const { statusCode, error: body, cause } = recordOf(error);
  if (statusCode === 400) {
    const { code, description } = recordOf(body);
    return code === 'BAD_REQUEST_ERROR' && FINAL.some((text) => text.test(String(description)));
  }
  return cause !== undefined && isFinalRefusal(cause);
}
