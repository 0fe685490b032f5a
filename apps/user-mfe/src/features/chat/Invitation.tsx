import { screen } from '@karaar/i18n';
import { LoadBoundary } from '@karaar/ui';
import { Suspense, type ComponentProps } from 'react';

// One chunk with the dialogs of the chat: each further one adds to the entry, which every page loads.
const Welcome = screen(() => import(/* webpackChunkName: "chat-later" */ './Drawing.tsx'), []);

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
