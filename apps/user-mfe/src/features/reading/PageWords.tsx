import { useEffect, useRef } from 'react';
import { pdfjs, type PageProps } from 'react-pdf';
import 'react-pdf/dist/Page/TextLayer.css';

/** A page of a PDF as its viewer gives it. */
export type LoadedPage = Parameters<NonNullable<PageProps['onLoadSuccess']>>[0];

type PageWordsProps = {
  page: LoadedPage;
  width: number;
  /** The words are said elsewhere for those who hear them. */
  silent: boolean;
};

/**
 * The words of a page over its picture, to be selected and searched. The viewer's own layer empties itself by `innerHTML`,
 * which the policy of our pages refuses.
 */
export function PageWords({ page, width, silent }: PageWordsProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const container = place.current;
    // A page whose file was closed meanwhile has no words any more, and throws for the question.
    if (!container || page.destroyed) return;
    const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
    const layer = new pdfjs.TextLayer({
      textContentSource: page.streamTextContent(),
      container,
      viewport,
    });
    layer.render().then(
      () => {
        // Where a selection that is drawn past the last word ends.
        const end = document.createElement('div');
        end.className = 'endOfContent';
        container.append(end);
      },
      // Taken off the page, or of a page that has no words to give: what is seen stays.
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
