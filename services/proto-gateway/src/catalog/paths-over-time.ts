/**
 * Paths that earlier versions of the chain published its queries under, by the rpc that answers them today. They stand as they
 * were, prefix included; variables have the names of today's request fields. Where two versions gave one path to different
 * queries, the later one has it. Paths whose queries are gone (payments, project accounts, `didToAddr`) are not here.
 */
export const PATHS_OVER_TIME: Readonly<Record<string, readonly string[]>> = {
  'ixo.entity.v1beta1.Query/Params': ['/ixo/entity/config'],
  'ixo.entity.v1beta1.Query/Entity': ['/ixo/project/{id}', '/project/{id}'],
  'ixo.iid.v1beta1.Query/IidDocuments': ['/ixo/allDidDocs', '/allDidDocs'],
  'ixo.iid.v1beta1.Query/IidDocument': ['/ixo/did/{id}', '/did/{id}'],
  'ixo.claims.v1beta1.Query/ClaimList': ['/ixo/claim'],
  'ixo.claims.v1beta1.Query/Claim': ['/ixo/claim/{id}'],
  'ixo.claims.v1beta1.Query/CollectionList': ['/ixo/collection'],
  'ixo.claims.v1beta1.Query/Collection': ['/ixo/collection/{id}'],
  'ixo.claims.v1beta1.Query/DisputeList': ['/ixo/dispute'],
  'ixo.claims.v1beta1.Query/Dispute': ['/ixo/dispute/{proof}'],
  'ixo.token.v1beta1.Query/Params': ['/ixo/token/config'],
  'ixo.token.v1beta1.Query/TokenList': ['/ixo/token/{minter}'],
  'ixo.token.v1beta1.Query/TokenDoc': ['/ixo/token/{minter}/{contract_address}'],
  'ixo.bonds.v1beta1.Query/Bonds': ['/ixo/bonds'],
  'ixo.bonds.v1beta1.Query/BondsDetailed': ['/ixo/bonds_detailed'],
  'ixo.bonds.v1beta1.Query/CustomPrice': ['/bonds/{bond_did}/price/{bond_amount}'],
  'ixo.liquidstake.v1beta1.Query/ModuleParams': ['/ixo/liquidstake/v1beta1/params'],
  // These named no pool: `pool_id` comes as a parameter.
  'ixo.liquidstake.v1beta1.Query/States': ['/ixo/liquidstake/v1beta1/states'],
  'ixo.liquidstake.v1beta1.Query/LiquidValidators': ['/ixo/liquidstake/v1beta1/validators'],
};
