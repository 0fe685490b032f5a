import css from './reading.module.css';

/** Keeps the room of A4 pages until they load, so that nothing below them moves. */
export const PagesPlace = ({ pages }: { pages: number }) => (
  <div
    className={css.place}
    style={{ aspectRatio: `210 / ${297 * pages}` }}
    data-skeleton
    aria-hidden="true"
  />
);
