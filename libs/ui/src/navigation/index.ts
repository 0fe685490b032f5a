/** Where one is: tabs, steps, a thread of what happened. `@karaar/ui/navigation`. */
export { Tabs, type Tab } from './Tabs.tsx';
export { Thread, type ThreadEntry } from './Thread.tsx';
export { Toolbar, type Tool } from './Toolbar.tsx';
