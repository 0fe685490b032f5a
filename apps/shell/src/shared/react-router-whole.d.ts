/** The router under the name by which the bundler finds it past the shared module. */
declare module 'react-router-whole' {
  export * from 'react-router';
}
