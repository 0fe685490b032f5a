/** Tables, paging and filters. */
export { DataTable, type Column } from './DataTable.tsx';
export { FilterChips, type FilterChip } from './FilterChips.tsx';
export { Pager } from './Pager.tsx';
export { ToolRow } from './ToolRow.tsx';
