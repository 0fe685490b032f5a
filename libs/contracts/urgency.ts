import type { RouteContract } from './kit.ts';

/**
 * Who goes first when not all can: `vital` is money and the way in, `patient` what asks again by itself or can be asked
 * for later (lists, counts, exports), `usual` all else.
 */
export const URGENCIES = ['vital', 'usual', 'patient'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** Calls that move money or let somebody in or out. A test holds that each is a contract's. */
export const VITAL: ReadonlySet<string> = new Set([
  'POST /auth/send-otp',
  'POST /auth/login',
  'POST /auth/logout',
  'POST /admin/login',
  'POST /payments/create',
  'PUT /payments/:id/confirm',
  'POST /payments/document/:id/pay',
  'POST /wallet/create-razorpay-order',
  'POST /wallet/verify-razorpay-payment',
  'POST /wallet/add-funds',
  'GET /wallet/order-status/:id',
  'POST /wallet/razorpay-webhook',
]);

/** Parameters by which a reader turns pages or asks for figures over days. */
const OF_LISTS = ['cursor', 'limit', 'days'];

export function urgencyOf(contract: RouteContract): Urgency {
  const { method, path } = contract;
  if (VITAL.has(`${method} ${path}`)) return 'vital';
  if (method !== 'GET') return 'usual';
  if (isExport(path) || path.endsWith('/counts')) return 'patient';
  const query = Object.keys(contract.query?.properties ?? {});
  if (query.some((name) => OF_LISTS.includes(name))) return 'patient';
  const answer = contract.response[200];
  return typeof answer === 'object' && 'type' in answer && answer.type === 'array' ? 'patient' : 'usual';
}

export const isExport = (path: string): boolean => path.endsWith('/export');
