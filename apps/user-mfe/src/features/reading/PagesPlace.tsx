/** Keeps the room of A4 pages until they load, so that nothing below them moves. */
export const PagesPlace = ({ pages = 1 }: { pages?: number | undefined }) => (
  <div style={{ aspectRatio: 0.707 / pages, background: 'var(--k-sunken)' }} data-skeleton />
);
