/**
 * The router's parts that the shell and its remotes share. A shared module cannot be tree-shaken, because the
 * imports of the remotes are unknown. Add a part when a screen needs it; the compiler reports a missing one.
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
