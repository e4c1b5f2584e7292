"""What the adapter takes from Harbor, so that it can run where Harbor is not installed."""

import sys
import types
from types import SimpleNamespace


class BaseAgent:
    def __init__(self, logs_dir, model_name=None, logger=None, *_args, **_kwargs):
        self.logs_dir, self.model_name = logs_dir, model_name


def stand_in(name: str, **members: object) -> None:
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module


for package in ("harbor", "harbor.agents", "harbor.environments", "harbor.models", "harbor.models.agent"):
    stand_in(package)
stand_in("harbor.agents.base", BaseAgent=BaseAgent)
stand_in("harbor.environments.base", BaseEnvironment=object)
stand_in("harbor.models.agent.context", AgentContext=SimpleNamespace)
