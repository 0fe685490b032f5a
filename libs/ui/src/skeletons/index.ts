/** Where content will stand, in its own shape. `@karaar/ui/skeletons`. */
export { CardsSkeleton, DetailSkeleton, ListSkeleton, TableSkeleton } from './Skeletons.tsx';
