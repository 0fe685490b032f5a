import { screen } from '@karaar/i18n';
import { LoadBoundary } from '@karaar/ui';
import { Suspense, type ComponentProps } from 'react';

const Welcome = screen(() => import('./Drawing.tsx'), []);

/** An empty place with a drawing. Most who open their chats have some: the drawings come only to those who have none. */
export function Invitation(props: ComponentProps<typeof Welcome>) {
  return (
    <LoadBoundary>
      <Suspense>
        <Welcome {...props} />
      </Suspense>
    </LoadBoundary>
  );
}
