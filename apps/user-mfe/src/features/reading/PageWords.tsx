import { useEffect, useRef } from 'react';
import { pdfjs, type PageProps } from 'react-pdf';
import 'react-pdf/dist/Page/TextLayer.css';

/** A loaded page of the PDF viewer. */
export type LoadedPage = Parameters<NonNullable<PageProps['onLoadSuccess']>>[0];

type PageWordsProps = {
  page: LoadedPage;
  width: number;
  /** True if screen readers get the words elsewhere. */
  silent: boolean;
};

/**
 * The words of a page over its picture, for selection and search. The viewer's own layer uses `innerHTML`,
 * which our CSP refuses.
 */
export function PageWords({ page, width, silent }: PageWordsProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const container = place.current;
    // A page whose file was closed has no words, and would throw.
    if (!container || page.destroyed) return;
    const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
    const layer = new pdfjs.TextLayer({
      textContentSource: page.streamTextContent(),
      container,
      viewport,
    });
    layer.render().then(
      () => {
        // Ends a selection that is dragged past the last word.
        const end = document.createElement('div');
        end.className = 'endOfContent';
        container.append(end);
      },
      // The page was removed or has no words: the picture stays.
      () => undefined,
    );
    return () => {
      layer.cancel();
      container.replaceChildren();
    };
  }, [page, width]);
  const selecting = (on: boolean) => () => place.current?.classList.toggle('selecting', on);
  return (
    <div
      ref={place}
      className="textLayer"
      aria-hidden={silent || undefined}
      onPointerDown={selecting(true)}
      onPointerUp={selecting(false)}
    />
  );
}
