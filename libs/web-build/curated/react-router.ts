/**
 * The router's parts that the shell and its remotes share. A shared module cannot be tree-shaken, as nobody knows
 * what a remote will ask for: so the list is kept here. A part that a screen needs is added to it; the compiler says so.
 */
export {
  BrowserRouter,
  Link,
  matchPath,
  matchRoutes,
  Navigate,
  Outlet,
  useLocation,
  useNavigate,
  useNavigationType,
  useOutletContext,
  useParams,
  useRoutes,
  useSearchParams,
} from 'react-router-whole';
export type * from 'react-router-whole';
