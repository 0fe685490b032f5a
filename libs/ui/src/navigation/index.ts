/** Tabs, toolbar and the thread of events. */
export { Tabs, type Tab } from './Tabs.tsx';
export { Thread, type ThreadEntry } from './Thread.tsx';
export { Toolbar, type Tool } from './Toolbar.tsx';
