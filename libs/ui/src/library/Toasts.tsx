import { useMediaQuery } from '@mantine/hooks';
import { Notifications, notifications } from '@mantine/notifications';
import { TOASTS_AT_ONCE } from '../feedback/toast-rules.ts';
import { Library } from './Library.tsx';

/** Shows a toast, now or as soon as there is room. */
export const showToast = notifications.show;

/** Where toasts stand. */
export default function Toasts() {
  // Never over the view's primary action: on a phone that is at the bottom, elsewhere at the top right.
  const phone = useMediaQuery('(max-width: 640px)');
  return (
    <Library>
      <Notifications
        limit={TOASTS_AT_ONCE}
        position={phone ? 'top-center' : 'bottom-right'}
        containerWidth={420}
        zIndex={1000}
        withinPortal={false}
      />
    </Library>
  );
}
