/** How the ids of traces begin that a test looks at: the shared product's collector keeps no other ones. */
export const TRACED = '0e2e';
