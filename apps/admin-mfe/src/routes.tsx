import type { RouteObject } from 'react-router';

/** The screens that the shell mounts under /admin. */
export const routes: RouteObject[] = [];
