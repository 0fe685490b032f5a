/** Lists of things: table, cards, paging, filters. `@karaar/ui/tables`. */
export { DataTable, type Column } from './DataTable.tsx';
export { FilterChips, type FilterChip } from './FilterChips.tsx';
export { Pager } from './Pager.tsx';
export { ToolRow } from './ToolRow.tsx';
