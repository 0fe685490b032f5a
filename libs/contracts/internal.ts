/**
 * HTTP requests between services. They go to the callee's internal port, which the gateway cannot reach, with
 * a service credential (docs/adr/0042).
 */
import { documentsInternalRpc } from './documents/inner.ts';
import type { ServiceName } from './services.ts';
import { walletInternalRpc } from './wallet/inner.ts';

export type InternalRoute = {
  method: 'GET' | 'POST';
  path: `/internal/${string}`;
  callee: ServiceName;
  callers: readonly ServiceName[];
};

export const internalRoutes = {
  /**
   * Runs an inference pass on a photo, the body: `?detect_type=faces|eyes`. Returns `CheckAnswer`
   * (vision/http.ts).
   */
  checkPhoto: { method: 'POST', path: '/internal/check', callee: 'vision', callers: ['documents'] },
  /** Prints an `AccountSheet` (documents/print.ts). Returns a PDF. */
  printAccountSheet: {
    method: 'POST',
    path: '/internal/account-sheet',
    callee: 'documents',
    callers: ['payments', 'wallet'],
  },
  ...documentsInternalRpc,
  ...walletInternalRpc,
} as const satisfies Record<string, InternalRoute>;

/** A caller, its callee, and the variable with their secrets in both processes. */
export type ServiceCredential = { caller: ServiceName; callee: ServiceName; variable: string };

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
