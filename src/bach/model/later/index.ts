export { agentInputs, decodeAgentSettings, defaultAgentLock, type AgentScope } from './agents.ts';
export { decodeLaterBlocks, type LaterBlocks, type LaterScope } from './blocks.ts';
export { generatedPolicyNodes, type PolicyNode } from './policy-nodes.ts';
export { checkLaterReferences, type LaterPieces } from './reference-rules.ts';
export { AGENT_ATTRIBUTES, AGENT_BLOCKS } from './schemas.ts';
export { chooseWorkflow, type WorkflowChoice } from './workflow-choice.ts';
