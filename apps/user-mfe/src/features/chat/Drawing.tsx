/** A drawing and words, with all drawings in its chunk. */
export { Welcome as default } from '@karaar/ui/pictures';
