/** How long and how many (spec §9). */
export const TOASTS_AT_ONCE = 20;

export type ToastKind = 'error' | 'success' | 'info';

/** Milliseconds for which a toast of a kind stays. */
export function toastDuration(kind: ToastKind): number {
  return kind === 'success' ? 2_000 : 4_000;
}
