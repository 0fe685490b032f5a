/** A separate chunk, because it loads all drawings. */
export { Welcome as default } from '@karaar/ui/pictures';
