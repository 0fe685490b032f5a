import { screen } from '@karaar/i18n';
import { LoadBoundary } from '@karaar/ui';
import { Suspense, type ComponentProps } from 'react';

const Welcome = screen(() => import('./Drawing.tsx'), []);

/** An empty state with a drawing. Most users have chats, so the drawings load only for those without. */
export function Invitation(props: ComponentProps<typeof Welcome>) {
  return (
    <LoadBoundary>
      <Suspense>
        <Welcome {...props} />
      </Suspense>
    </LoadBoundary>
  );
}
