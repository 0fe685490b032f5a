import { Notifications, notifications } from '@mantine/notifications';
import { TOASTS_AT_ONCE } from '../feedback/toast-rules.ts';
import { Library } from './Library.tsx';

/** Shows a toast, now or as soon as there is room. */
export const showToast = notifications.show;

/** Where toasts stand. */
export default function Toasts() {
  return (
    <Library>
      <Notifications
        limit={TOASTS_AT_ONCE}
        // Never over what is pressed next: a view's primary action is at the bottom of a form or at the top right.
        position="top-center"
        containerWidth={420}
        zIndex={1000}
        withinPortal={false}
      />
    </Library>
  );
}
