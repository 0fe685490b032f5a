import { screen } from '@karaar/i18n';
import { LoadBoundary } from '@karaar/ui';
import { Suspense, type ComponentProps } from 'react';
import { PagesPlace } from './PagesPlace.tsx';
import { placeOf, Unreadable } from './Unreadable.tsx';

const PdfPages = screen(() => import('./PdfPages.tsx'), []);

/** The pages of a PDF. A failure of the renderer shows in this place, with a link to the file. */
export const PdfReader = (props: ComponentProps<typeof PdfPages>) => (
  <LoadBoundary
    resetKey={placeOf(props.source)}
    broken={<Unreadable source={props.source} name={props.name} />}
  >
    <Suspense fallback={<PagesPlace pages={props.count} />}>
      <PdfPages {...props} />
    </Suspense>
  </LoadBoundary>
);
