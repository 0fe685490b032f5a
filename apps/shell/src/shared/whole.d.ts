/** Packages under the names by which the bundler finds them past the shared modules. */
declare module 'react-router-whole' {
  export * from 'react-router';
}
declare module '@tanstack/react-query-whole' {
  export * from '@tanstack/react-query';
}
