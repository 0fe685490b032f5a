import { screen } from '@karaar/i18n';
import { LoadBoundary, Skeleton } from '@karaar/ui';
import { Suspense, type ComponentProps } from 'react';
import { placeOf, Unreadable } from './Unreadable.tsx';

const PdfPages = screen(() => import('./PdfPages.tsx'), []);

/** The pages of a PDF. A failure of the renderer shows in this place, with a link to the file. */
export const PdfReader = (props: ComponentProps<typeof PdfPages>) => (
  <LoadBoundary
    resetKey={placeOf(props.source)}
    broken={<Unreadable source={props.source} name={props.name} />}
  >
    <Suspense fallback={<Skeleton height={420} />}>
      <PdfPages {...props} />
    </Suspense>
  </LoadBoundary>
);
