/**
 * The calls of services to services over HTTP. They arrive at the callee's internal port, of which the gateway has no
 * address, with their service credential (docs/adr/0042).
 */
import { documentsInternalRpc } from './documents/inner.ts';
import type { ServiceName } from './services.ts';
import { walletInternalRpc } from './wallet/inner.ts';

export type InternalRoute = {
  method: 'GET' | 'POST';
  path: `/internal/${string}`;
  callee: ServiceName;
  /** Who may call it. */
  callers: readonly ServiceName[];
};

export const internalRoutes = {
  /** A look at a photo, the body: `?detect_type=faces|eyes`. Answers `CheckAnswer` (vision/http.ts). */
  checkPhoto: { method: 'POST', path: '/internal/check', callee: 'vision', callers: ['documents'] },
  /** Prints an `AccountSheet` (documents/print.ts). Answers a PDF. */
  printAccountSheet: {
    method: 'POST',
    path: '/internal/account-sheet',
    callee: 'documents',
    callers: ['payments', 'wallet'],
  },
  ...documentsInternalRpc,
  ...walletInternalRpc,
} as const satisfies Record<string, InternalRoute>;

/** Who calls whom, and the variable that holds the secrets in both processes. */
export type ServiceCredential = { caller: ServiceName; callee: ServiceName; variable: string };

/** Every service credential once. */
export const serviceCredentials: readonly ServiceCredential[] = [
  ...new Map(
    Object.values<InternalRoute>(internalRoutes)
      .flatMap(({ callee, callers }) => callers.map((caller) => serviceCredential(caller, callee)))
      .map((one) => [one.variable, one] as const),
  ).values(),
];

function serviceCredential(caller: ServiceName, callee: ServiceName): ServiceCredential {
  return { caller, callee, variable: `${caller}_TO_${callee}_SECRETS`.toUpperCase() };
}
