/** Placeholders in the shape of the loading content. */
export { CardsSkeleton, DetailSkeleton, ListSkeleton, TableSkeleton } from './Skeletons.tsx';
