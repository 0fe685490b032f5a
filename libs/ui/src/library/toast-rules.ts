/** The duration and number of toasts (spec §9). */
export const TOASTS_AT_ONCE = 20;

export type ToastKind = 'error' | 'success' | 'info';

/** Returns the milliseconds for which a toast is shown. */
export function toastDuration(kind: ToastKind): number {
  return kind === 'success' ? 2_000 : 4_000;
}
