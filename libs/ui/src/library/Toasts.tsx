import { Notifications, notifications } from '@mantine/notifications';
import { TOASTS_AT_ONCE } from './toast-rules.ts';
import css from '../feedback/feedback.module.css';
import { Library } from './Library.tsx';

/** Shows a toast, now or as soon as there is room. */
export const showToast = notifications.show;

/** The container of toasts. */
export default function Toasts() {
  return (
    <Library>
      <Notifications
        limit={TOASTS_AT_ONCE}
        // Never over the next button: a view's primary action is at the bottom of a form or at the top right.
        // Nor over the header of a phone.
        position="top-center"
        classNames={{ root: css.toasts ?? '' }}
        containerWidth={420}
        zIndex={1000}
        withinPortal={false}
      />
    </Library>
  );
}
