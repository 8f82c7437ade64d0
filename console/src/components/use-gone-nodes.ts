import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/management-api.types';
import { overviewQuery } from '../api/queries';
import { goneNodes, type GoneNodes } from './gone-nodes';

const NONE: GoneNodes = new Map();

/** The same map until the overview changes. @param enabled false where no computer is offline: it is not asked for */
export const useGoneNodes = (enabled: boolean): GoneNodes =>
  useQuery({ ...overviewQuery, select: goneOf, enabled }).data ?? NONE;

const goneOf = ({ attention }: Schemas['Overview']): GoneNodes => goneNodes(attention);
