import { Skeleton } from '@karaar/ui';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Page } from 'react-pdf';
import { PageCanvas } from './PageCanvas.tsx';
import { PageWords, type LoadedPage } from './PageWords.tsx';
import css from './reading.module.css';

/** Pages within this distance of the view are drawn ahead: fewer on phones, which have little memory. */
const ahead = () => (matchMedia('(max-width: 640px)').matches ? '200px 0px' : '600px 0px');

/** Of the sheet's borders above and below. */
const BORDERS = 2;

type PdfPageProps = {
  number: number;
  label: string;
  width: number;
  shape: number;
  /** True if the page's words are below it for screen readers. */
  spoken: boolean;
  spare: HTMLCanvasElement[];
  /** Renders the note for a page that is not shown in full. */
  fault: (onRetry: () => void) => ReactNode;
  children: ReactNode;
};

/** A page, drawn while it is near the view. Its text can be selected. */
export function PdfPage({ number, label, width, shape, spoken, spare, fault, children }: PdfPageProps) {
  const place = useRef<HTMLLIElement>(null);
  const near = useNear(place);
  const [attempt, setAttempt] = useState(0);
  const [missing, setMissing] = useState<'page' | 'pictures'>();
  const [loaded, setLoaded] = useState<LoadedPage>();
  const [drawn, setDrawn] = useState<{ width: number; height: number }>();
  const height = drawn ? Math.round((drawn.height * width) / drawn.width) : Math.round(width * shape);
  useEffect(() => {
    // A page that left the view while it was drawn.
    if (!near) loaded?.cleanup();
  }, [near, loaded]);
  const retry = () => {
    // The page would otherwise use what it failed to decode.
    loaded?.cleanup();
    setLoaded(undefined);
    setMissing(undefined);
    setAttempt(attempt + 1);
  };
  return (
    <li ref={place}>
      <div
        className={css.sheet}
        style={{ width, minHeight: height + BORDERS }}
        translate={missing === 'page' ? 'yes' : 'no'}
      >
        {near && missing !== 'page' && (
          <Page
            key={attempt}
            pageNumber={number}
            width={width}
            renderTextLayer={false}
            renderAnnotationLayer={false}
            loading={<Skeleton height={height} />}
            renderMode="none"
            onLoadSuccess={setLoaded}
            onLoadError={() => setMissing('page')}
            error={null}
          >
            {loaded && (
              <>
                <PageCanvas
                  page={loaded}
                  width={width}
                  label={label}
                  spare={spare}
                  onDrawn={(isWhole) => {
                    setMissing(isWhole ? undefined : 'pictures');
                    setDrawn({ width: loaded.width, height: loaded.height });
                    // The renderer keeps the decoded pictures of a page: 15 MB for a scan.
                    loaded.cleanup();
                  }}
                  onFailed={() => setMissing('page')}
                />
                <PageWords page={loaded} width={width} silent={spoken} />
              </>
            )}
          </Page>
        )}
        {missing === 'page' && fault(retry)}
      </div>
      {missing === 'pictures' && fault(retry)}
      <p className={css.pageNumber}>{label}</p>
      {children}
    </li>
  );
}

/** Returns true while the element is near the view. */
function useNear(place: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const root = place.current.closest('[data-framed]');
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root,
      rootMargin: ahead(),
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return near;
}
