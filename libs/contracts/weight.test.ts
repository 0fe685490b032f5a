/** The traffic class and urgency of requests, which decide their order under load. */
import type { RouteContract } from './kit.ts';
import { trafficClassOf } from './traffic-class.ts';
import { allRoutes } from './services.ts';
import { urgencyOf } from './urgency.ts';

const USUAL_MS = 15_000;
const contracts = new Map<string, RouteContract>(
  allRoutes().map(({ contract }) => [`${contract.method} ${contract.path}`, contract] as const),
);
const contractOf = (key: string) => {
  const contract = contracts.get(key);
  if (!contract) throw new Error(`${key} is not in any contract`);
  return contract;
};

describe('the weight of a request', () => {
  it.each([
    ['POST /auth/login', 'vital', 'quick'],
    ['POST /payments/document/:id/pay', 'vital', 'quick'],
    ['POST /wallet/razorpay-webhook', 'vital', 'quick'],
    ['POST /wallet/verify-razorpay-payment', 'vital', 'long'],
    ['GET /documents/:id', 'usual', 'quick'],
    ['PUT /documents/:id/approve/:userId', 'usual', 'quick'],
    ['POST /documents/create', 'usual', 'long'],
    ['PATCH /documents/:id/finalize', 'usual', 'long'],
    ['POST /documents/verification/validate', 'usual', 'long'],
    ['POST /messaging/send', 'usual', 'quick'],
    ['GET /documents/:id/final-pdf', 'usual', 'long'],
    ['GET /documents/my-documents/page', 'patient', 'quick'],
    ['GET /messaging/conversations/:id', 'patient', 'quick'],
    ['GET /payments/my-payments', 'patient', 'quick'],
    ['GET /admin/documents/export', 'patient', 'long'],
  ])('%s: %s, %s', (key, urgency, trafficClass) => {
    const contract = contractOf(key);
    expect([urgencyOf(contract), trafficClassOf(contract, USUAL_MS)]).toEqual([urgency, trafficClass]);
  });
});
