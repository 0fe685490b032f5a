export { answerText, ApiError, toastText } from './api-error.ts';
export { call, callIfChanged } from './call.ts';
export {
  CHECKOUT_FRAME,
  type CheckoutAnswer,
  type CheckoutEvent,
  type CheckoutOrder,
  type CheckoutRequest,
} from './checkout-frame.ts';
export { enteredStore } from './entered.ts';
export { errorText } from './error-text.ts';
export {
  profileCompleteness,
  type CompletenessResult,
  type ProfileField,
} from '@karaar/contracts/profile-completeness';
export { createLiveClient, type LiveClient } from './live.ts';
export { API_BASE } from './request.ts';
export { connection } from './connection.ts';
export {
  ADMIN_SESSION_ENDED,
  browserSecret,
  SESSION_ENDED,
  sessionStore,
  type SessionUser,
} from './session-storage.ts';
export { refusedFile } from './refused-file.ts';
export { serverClock } from './server-clock.ts';
export { queryKeys, type ShellContext, type SignInReason } from './shell-context.ts';
export { allowScriptOrigins, trustedScriptUrl } from './trusted-script.ts';
export type { Answer, CallOptions, Input, RouteLike } from './types.ts';
