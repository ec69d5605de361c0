"""The settings of language models that write."""

from __future__ import annotations

from typing import Any, Final

from desktop_rag.foundation.setting import Choice, Setting

NO_MODEL: Final = "none"
MODEL_IN_FILE: Final = "file"
MODEL_ON_SERVER: Final = "server"
SAME_MODEL: Final = "same"

MODEL_KIND: Final = Setting(
    key="model_kind",
    default=NO_MODEL,
    label_en="Language model",
    label_zh="语言模型",
    help_en="With one, answers are written and checked against your files. Nothing is downloaded.",
    help_zh="有了语言模型，回答由它撰写，并逐句与您的文件核对。不会下载任何内容。",
    choices=(
        Choice(NO_MODEL, "None: answers are quotes", "不使用：回答为原文引用"),
        Choice(MODEL_IN_FILE, "A model file (GGUF)", "模型文件（GGUF）"),
        Choice(MODEL_ON_SERVER, "A server on this computer", "本机上的模型服务"),
    ),
)
MODEL_FILE: Final = Setting(
    key="model_file",
    default="",
    label_en="Model file",
    label_zh="模型文件",
    help_en="A file that ends in .gguf, of a model that follows instructions.",
    help_zh="以 .gguf 结尾的文件，应为能遵循指令的模型。",
)
MODEL_SERVER: Final = Setting(
    key="model_server",
    default="http://127.0.0.1:11434",
    label_en="Address of the server",
    label_zh="服务地址",
    help_en="Of Ollama, LM Studio or the like. Only addresses of this computer are allowed.",
    help_zh="Ollama、LM Studio 等的地址。只允许本机地址。",
)
MODEL_NAME: Final = Setting(
    key="model_name",
    default="",
    label_en="Model on the server",
    label_zh="服务上的模型",
    help_en="Its name, as the server lists it.",
    help_zh="模型名称，与服务列出的一致。",
)
STEPS_MODEL_KIND: Final = Setting(
    key="steps_model_kind",
    default=SAME_MODEL,
    label_en="Model for the steps before the answer",
    label_zh="回答之前各步骤使用的模型",
    help_en="A smaller one understands and rewords questions faster. It takes memory of its own.",
    help_zh="较小的模型理解和改写问题更快，但会另外占用内存。",
    choices=(
        Choice(SAME_MODEL, "The same", "同一个模型"),
        Choice(MODEL_IN_FILE, "Another model file", "另一个模型文件"),
        Choice(MODEL_ON_SERVER, "Another model on the server", "服务上的另一个模型"),
        Choice(NO_MODEL, "None", "不使用"),
    ),
)
STEPS_MODEL_FILE: Final = Setting(
    key="steps_model_file",
    default="",
    label_en="Model file for these steps",
    label_zh="这些步骤的模型文件",
    help_en="A file that ends in .gguf.",
    help_zh="以 .gguf 结尾的文件。",
)
STEPS_MODEL_NAME: Final = Setting(
    key="steps_model_name",
    default="",
    label_en="Model on the server for these steps",
    label_zh="这些步骤在服务上的模型",
    help_en="Its name, as the server lists it.",
    help_zh="模型名称，与服务列出的一致。",
)
MODEL_IDLE_MINUTES: Final = Setting(
    key="model_idle_minutes",
    default=10,
    label_en="Give the model's memory back after (minutes)",
    label_zh="闲置多久后释放模型内存（分钟）",
    help_en="Without a question for so long. 0 keeps it until the program ends.",
    help_zh="在这段时间内没有提问时释放。0 表示一直保留到程序结束。",
    minimum=0,
    maximum=1440,
)
MODEL_CONTEXT: Final = Setting(
    key="model_context",
    default=8192,
    label_en="Most that the model reads at once (pieces of words)",
    label_zh="模型一次最多读取的长度（字词片段）",
    help_en="A page has about 700. More needs more memory.",
    help_zh="一页约有 700 个。数值越大，需要的内存越多。",
    minimum=1024,
    maximum=131_072,
)
MODEL_THREADS: Final = Setting(
    key="model_threads",
    default=0,
    label_en="Processors for the model",
    label_zh="模型使用的处理器数",
    help_en="0: all but one, so that the window stays quick.",
    help_zh="0 表示保留一个，其余全部使用，窗口因此保持流畅。",
    minimum=0,
    maximum=256,
)

MODEL_SETTINGS: Final[tuple[Setting[Any], ...]] = (
    MODEL_KIND,
    MODEL_FILE,
    MODEL_SERVER,
    MODEL_NAME,
    STEPS_MODEL_KIND,
    STEPS_MODEL_FILE,
    STEPS_MODEL_NAME,
    MODEL_IDLE_MINUTES,
    MODEL_CONTEXT,
    MODEL_THREADS,
)
