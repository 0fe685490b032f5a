export interface RazorpayErrorBody {
  error: {
    code: string;
    description: string;
    source: string;
    step: string;
    reason: string;
    metadata: Record<string, string>;
    field?: string;
  };
}

export class RazorpayError extends Error {
  readonly status: number;
  readonly body: RazorpayErrorBody;

  constructor(status: number, error: Partial<RazorpayErrorBody['error']> & { description: string }) {
    super(error.description);
    this.name = 'RazorpayError';
    this.status = status;
    this.body = {
      error: { code: 'BAD_REQUEST_ERROR', source: 'NA', step: 'NA', reason: 'NA', metadata: {}, ...error },
    };
  }
}

/** Returns 400 for a field of the request. */
export function badField(field: string | undefined, description: string): RazorpayError {
  return new RazorpayError(400, {
    description,
    source: 'business',
    step: 'payment_initiation',
    reason: 'input_validation_failed',
    ...(field === undefined ? {} : { field }),
  });
}
